"""Target vectors and the encoder's output go in; what the target tokens take from the source comes out."""

from engine.layers.attention import AttentionSteps
from engine.numbers.arrays import Array
from engine.pens.pens import Visible


class CrossAttentionSteps(AttentionSteps):
    """Attention over another sentence (Vaswani et al. 2017, section 3.2.3): all of it may be looked at."""

    def visible(self, at: str) -> Visible:
        masked = at.startswith("decoder.") and ".self." in at
        return super().visible(at) if masked else None

    def cross(self, at: str, x: Array, source: Array) -> Array:
        """Queries from x (n_target, d_model), keys and values from the source (n_source, d_model)."""
        heads = [f"{at}head{k}." for k in range(1, self.sizes.n_heads + 1)]
        return self.join(
            at, [self.look(head, head, x, source, None) for head in heads]
        )  # (n_target, d_model)
