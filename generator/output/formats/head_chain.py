"""One token's way through one head, as the pupil writes it, and what Maxima needs to go on from own numbers.

For the STACK questions. The numbers are the sheet's; Maxima computes with them as decimal fractions.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from engine.trace import CellAddress
from generator.basics.numbers import read_number
from generator.output.formats.questions import Exercise, Material
from generator.output.formats.tree import Blank, Printed
from generator.sheet.sheet import walk

STEPS: Final[tuple[str, ...]] = ("score", "scaled", "exp", "exp_sum", "weight", "output")
INPUTS: Final = {"score": "s", "scaled": "t", "exp": "p", "exp_sum": "z", "weight": "w", "output": "o"}
_MOST_INPUTS: Final = 15  # of one question: each is looked at by Maxima
_HEAD: Final = re.compile(
    r"((?:unmasked|(?:decoder\.)?block\d+(?:\.cross)?)\.head\d+)\.(query|key|value|" + "|".join(STEPS) + ")"
)
# A half is a half, and rounding is away from zero, as on the sheet. What is typed is read as everywhere:
# comma or point, three signs for minus, a fraction; false where it is no number.
_FUNCTIONS: Final = """\
rounded(x,n):=(if x<0 then -1 else 1)*floor(abs(x)*10^n+1/2)/10^n;
tidied(x):=ssubst("-","–",ssubst("-","−",ssubst(".",",",ssubst(""," ",x))));
isnatural(x):=is(slength(x)>0) and every(lambda([c],integerp(sposition(c,"0123456789"))),charlist(x));
natural(x):=lreduce(lambda([n,c],10*n+sposition(c,"0123456789")-1),charlist(x),0);
decimal(p):=if length(p)=1 and isnatural(p[1]) then natural(p[1]) \
elseif length(p)=2 and isnatural(sconcat("0",p[1])) and isnatural(p[2]) \
then natural(sconcat(p[1],p[2]))/10^slength(p[2]) else false;
quotient(p):=if length(p)=1 then decimal(split(p[1],".",false)) \
elseif length(p)=2 and isnatural(p[1]) and isnatural(p[2]) and natural(p[2])#0 \
then natural(p[1])/natural(p[2]) else false;
unsigned(x,sign):=block([found],found:quotient(split(x,"/",false)),if found=false then false else sign*found);
typed(x):=if slength(x)=0 then false elseif charat(x,1)="-" then unsigned(substring(x,2),-1) \
elseif charat(x,1)="+" then unsigned(substring(x,2),1) else unsigned(x,1);
"""


@dataclass(frozen=True)
class Chain:
    """One token's way through one head. asked: the blanks of every step. numbers: all that the key prints."""

    head: str
    token: int
    exercises: tuple[Exercise, ...]
    asked: Mapping[str, tuple[Blank, ...]]
    numbers: Mapping[CellAddress, str]

    def text(self, step: str, *index: int) -> str:
        """A number as the key prints it."""
        return self.numbers[f"{self.head}.{step}", index]

    def value(self, step: str, *index: int) -> Fraction:
        return Fraction(read_number(self.text(step, *index)))

    def places(self, step: str) -> int:
        return self.asked[step][0].places

    @property
    def title(self) -> str:
        """Station and tasks that the question comes from."""
        numbers = " und ".join(exercise.number for exercise in self.exercises)
        return f"{self.exercises[0].station}, Aufgabe {numbers}"

    @property
    def seen(self) -> tuple[int, ...]:
        """The tokens whose weights are asked for."""
        return tuple(blank.cell[1][1] for blank in self.asked["weight"])

    @property
    def told(self) -> tuple[int, ...]:
        """Those that this one sees too, whose weights the key prints beside those that are asked for."""
        rows = (index for name, index in self.numbers if name == f"{self.head}.weight")
        columns = {column for row, column in rows if row == self.token}
        return tuple(sorted(columns - set(self.seen)))

    @property
    def size(self) -> int:
        query = f"{self.head}.query"
        return sum(1 for name, index in self.numbers if name == query and index[0] == self.token)

    @property
    def parts(self) -> tuple[tuple[str, ...], ...]:
        """The steps of each question, as many as one can wait for."""
        found: list[list[str]] = [[]]
        for step in self.asked:
            if found[-1] and sum(len(self.asked[s]) for s in (*found[-1], step)) > _MOST_INPUTS:
                found.append([])
            found[-1].append(step)
        return tuple(map(tuple, found))

    def points(self, step: str) -> Fraction:
        """What its fields earn: their share of the exercises' points."""
        places = [blank.cell for blank in self.asked[step]]
        shares = (
            Fraction(each.points * sum(at in each.asked for at in places), len(each.asked))
            for each in self.exercises
        )
        return sum(shares, Fraction(0))


def chains(material: Material) -> Iterator[Chain]:
    """Every token of every head that has weights and a new vector to write, and all that they are made of."""
    blocks = material.key.blocks
    printed: list[Printed | Blank] = [*walk(blocks, Printed), *walk(blocks, Blank)]
    numbers = {each.cell: each.text for each in printed if _HEAD.fullmatch(each.cell[0]) and each.text}
    found: dict[tuple[str, int], tuple[list[Exercise], dict[str, list[Blank]]]] = {}
    for exercise in material.exercises:
        for blank in walk(exercise.blocks, Blank):
            name, index = blank.cell
            parts = _HEAD.fullmatch(name)
            if parts is None or parts[2] not in STEPS or blank.cell not in exercise.asked:
                continue
            of, asked = found.setdefault((parts[1], index[0]), ([], {}))
            if blank not in asked.setdefault(parts[2], []):
                asked[parts[2]].append(blank)
                if exercise not in of:
                    of.append(exercise)
    for (head, token), (of, asked) in found.items():
        in_order = {step: tuple(asked[step]) for step in STEPS if step in asked}
        chain = Chain(head, token, tuple(of), in_order, numbers)
        if {"exp", "exp_sum", "weight", "output"} <= asked.keys() and _whole(chain):
            yield chain


def _whole(chain: Chain) -> bool:
    """Whether every seen word has its fields, and the key prints the query, keys and values that are seen."""
    head, token, seen, given, asked = chain.head, chain.token, chain.seen, chain.told, chain.asked
    needed = [(f"{head}.query", (token, 0))]
    needed += [(f"{head}.{kind}", (j, 0)) for kind in ("key", "value") for j in (*seen, *given)]
    needed += [(f"{head}.{step}", (token, j)) for step in ("score", "exp") for j in given]
    if "score" not in asked:
        needed += [(f"{head}.score", (token, j)) for j in seen]
    given_scaled = "scaled" not in asked and (f"{head}.scaled", (token, seen[0])) in chain.numbers
    of_words = [step for step in ("score", "scaled", "exp") if step in asked]
    complete = all(len(asked[step]) == len(seen) for step in of_words)
    return complete and not given_scaled and all(address in chain.numbers for address in needed)


def variables(chain: Chain, part: Sequence[str]) -> str:
    """What is given: query, keys and values, the root, and the steps that are no fields of this question."""
    lines = [
        _FUNCTIONS.rstrip(),
        f"q:{_list(chain.value('query', chain.token, c) for c in range(chain.size))};",
    ]
    for kind, short in (("key", "k"), ("value", "v")):
        rows = (_list(chain.value(kind, j, c) for c in range(chain.size)) for j in chain.seen)
        lines.append(f"{short}:[{','.join(rows)}];")
    if "scaled" in chain.asked:
        lines.append(f"root:rounded(float(sqrt({chain.size})),{chain.places('scaled')});")
    for step in STEPS[:-1]:
        if step not in part and (step in chain.asked or step == "score"):
            lines.append(f"{_given(step)}:{_list(_values(chain, step))};")
    return "\n".join(lines)


def _values(chain: Chain, step: str) -> Iterator[Fraction]:
    if step == "exp_sum":
        return iter([chain.value(step, chain.token)])
    return (chain.value(step, chain.token, j) for j in chain.seen)


def _given(step: str) -> str:
    return f"given{INPUTS[step]}"


def feedback_variables(chain: Chain, part: Sequence[str], step: str) -> str:
    """For every field up to this step: what is right there, and what the pupil goes on with."""
    lines = []
    for each in part[: part.index(step) + 1]:
        for place, blank in enumerate(chain.asked[each]):
            field = f"{INPUTS[each]}{place}"
            lines.append(f"right{field}:rounded({_exact(chain, part, each, place)},{blank.places});")
            if reads_given_weights(chain, each):
                read = _exact(chain, part, each, place, read=True)
                lines.append(f"read{field}:rounded({read},{blank.places});")
            lines.append(f"typed{field}:typed(tidied({field}));")
            lines.append(f"own{field}:if numberp(typed{field}) then typed{field} else right{field};")
    return "\n".join(lines)


def reads_given_weights(chain: Chain, step: str) -> bool:
    """Whether given weights are among what a step goes on with: read, or worked out anew from an own sum."""
    return step == "output" and bool(chain.told)


def _exact(chain: Chain, part: Sequence[str], step: str, place: int, *, read: bool = False) -> str:
    """What follows from the numbers before, as Maxima computes it. read: with given weights as printed."""

    def own(of: str, at: int) -> str:
        return f"own{INPUTS[of]}{at}" if of in part else f"{_given(of)}[{at + 1}]"

    n = len(chain.seen)
    exponent = "scaled" if "scaled" in chain.asked else "score"
    match step:
        case "score":
            return f"q.k[{place + 1}]"
        case "scaled":
            return f"{own('score', place)}/root"
        case "exp":
            return f"rationalize(float(exp({own(exponent, place)})))"
        case "exp_sum":
            given = (str(chain.value("exp", chain.token, j)) for j in chain.told)
            return "+".join([*(own("exp", j) for j in range(n)), *given])
        case "weight":
            return f"{own('exp', place)}/{own('exp_sum', 0)}"
    products = [f"{own('weight', j)}*v[{j + 1}][{place + 1}]" for j in range(n)]
    for j in chain.told:
        anew = f"rounded({chain.value('exp', chain.token, j)}/{own('exp_sum', 0)},{chain.places('weight')})"
        weight = chain.value("weight", chain.token, j) if read else anew
        products.append(f"{weight}*({chain.value('value', j, place)})")
    return "+".join(products)


def _list(numbers: Iterator[Fraction]) -> str:
    return f"[{','.join(map(str, numbers))}]"
