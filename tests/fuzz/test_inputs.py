from tests.fuzz.inputs import fuzz


def test_a_few_hostile_inputs_end_with_a_sentence(tmp_path):
    found = fuzz(90, 1, 12, tmp_path)
    assert found.bad == []
    assert found.statuses[2] > 0
