"""A network as ONNX, for whatever runs that: the rules that it needs are in the graph.

Input `stones`: (positions, 2, 6, 7), 1.0 where the side to move (0) or the other (1) has a stone; rows from
the bottom, columns from the left. Outputs, by columns: `wishes` (positions, 7), of which the largest is
played by parts that do not look ahead; `outcomes` (positions, 7, 3), the chances of win, draw and loss;
`scores` (positions, 7, 43), those of -21 to 21.
"""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from claimeven.agents.kinds.network import NetworkFile, Part
from claimeven.neural.export import imported
from claimeven.neural.model import BINS, COLUMNS, HALF, OUTPUTS, PLANES

OPSET, IR = 17, 8  # of 2022: what every runtime of today reads
MOST = BINS // 2
FULL_COLUMN = 1e9  # is taken from the wish


class Graph:
    """Nodes in their order; a value is known by its name."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.tensors: list[Any] = []

    def put(
        self, kind: str, *values: "str | float | np.ndarray", name: str | None = None, **options: Any
    ) -> str:
        names = [value if isinstance(value, str) else self.constant(value) for value in values]
        name = name or f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, names, [name], **options))
        return name

    def constant(self, values: "float | np.ndarray") -> str:
        array = np.float32(values) if isinstance(values, float) else values
        name = f"c{len(self.tensors)}"
        self.tensors.append(numpy_helper.from_array(np.asarray(array, order="C"), name))
        return name

    def part(self, value: str, axis: int, start: int, end: int) -> str:
        return self.put("Slice", value, *(np.array([n], np.int64) for n in (start, end, axis)))

    def shaped(self, value: str, *shape: int) -> str:
        return self.put("Reshape", value, np.array(shape, np.int64))


def write_onnx(file: NetworkFile, out: Path) -> None:
    graph = Graph()
    stones = ["stones", TensorProto.FLOAT, ["positions", 2, 6, 7]]
    planes, found, weigh = _planes(graph), "", ""
    count = graph.put("ReduceSum", "stones", np.array([1, 2, 3], np.int64), keepdims=0)
    for part in file.parts:
        outputs = _layers(graph, part, planes)
        if not part.stones:
            found, weigh = outputs, graph.constant(part.weigh)
            continue
        is_asked = graph.put("Greater", count, part.stones - 0.5)
        found = graph.put("Where", graph.shaped(is_asked, -1, 1, 1), outputs, found)
        weigh = graph.put("Where", graph.shaped(is_asked, -1, 1), part.weigh, weigh)
    _answers(graph, found, weigh, file.slope)
    shapes = {"wishes": [7], "outcomes": [7, 3], "scores": [7, BINS]}
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "claimeven",
            [helper.make_tensor_value_info(*stones)],
            [
                helper.make_tensor_value_info(name, TensorProto.FLOAT, ["positions", *shape])
                for name, shape in shapes.items()
            ],
            graph.tensors,
        ),
        producer_name="claimeven",
        doc_string=__doc__,
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR,
    )
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, out)


def _planes(graph: Graph) -> str:
    """(PLANES, positions, tokens): stones, landing and winning cells, who began."""
    own, other = graph.part("stones", 1, 0, 1), graph.part("stones", 1, 1, 2)
    filled = graph.put("Add", own, other)
    nothing = graph.put("Mul", filled, 0.0)
    empty = graph.put("Sub", 1.0, filled)
    floor = graph.put("Add", graph.part(nothing, 2, 0, 1), 1.0)
    landing = graph.put("Mul", empty, graph.put("Concat", floor, graph.part(filled, 2, 0, 5), axis=2))

    def winning(side: str) -> str:
        three = graph.put("Conv", side, _lines(), pads=[3, 3, 3, 3])
        is_won = graph.put("Cast", graph.put("Greater", three, 2.5), to=TensorProto.FLOAT)
        return graph.put("Mul", graph.put("ReduceMax", is_won, axes=[1]), empty)

    count = graph.put("ReduceSum", filled, np.array([1, 2, 3], np.int64))
    began = graph.put("Add", nothing, graph.put("Mod", count, 2.0, fmod=1))
    planes = graph.put("Concat", own, other, landing, winning(own), winning(other), began, axis=1)
    places = np.array([7 * row + column for column in COLUMNS for row in range(6)], np.int64)
    tokens = graph.put("Gather", graph.shaped(planes, -1, PLANES, 42), places, axis=2)
    return graph.put("Transpose", tokens, perm=[1, 0, 2])


def _lines() -> "np.ndarray":
    """For every direction and place in a four: the three cells beside the one that is asked about."""
    kernels = np.zeros((16, 1, 7, 7), np.float32)
    for number, (rows, columns) in enumerate(((0, 1), (1, 0), (1, 1), (1, -1))):
        for place in range(4):
            for step in {0, 1, 2, 3} - {place}:
                kernels[4 * number + place, 0, 3 + (step - place) * rows, 3 + (step - place) * columns] = 1
    return kernels


def _layers(graph: Graph, part: Part, planes: str) -> str:
    """(positions, 7, OUTPUTS) as src/claimeven/neural/model.py has them."""
    net, channels = imported(part), part.channels
    sharing = channels // part.groups

    def weights(values: Any) -> str:
        array: np.ndarray = values.detach().numpy()
        if part.is_rounded:
            return graph.constant(array)
        return graph.put(
            "Cast", array.astype(np.float16), to=TensorProto.FLOAT
        )  # as in the file: half the size

    def token_matrices(values: Any) -> str:
        return weights(values.mT.repeat_interleave(sharing, 0))

    def mixed(value: str, block: int) -> str:
        first, second = graph.part(value, 2, 0, HALF), graph.part(value, 2, HALF, 2 * HALF)
        sums, differences = graph.put("Add", first, second), graph.put("Sub", first, second)
        even = graph.put("MatMul", sums, token_matrices(net.even[block]))
        odd = graph.put("MatMul", differences, token_matrices(net.odd[block]))
        bias = weights(net.bias[block].unsqueeze(1))
        halves = []
        for kind in ("Add", "Sub"):
            half = graph.put("Mul", graph.put(kind, even, odd), 0.5)
            halves.append(graph.put("Add", half, bias))
        return graph.put("Relu", graph.put("Concat", *halves, axis=2))

    x = graph.put("MatMul", weights(net.stem), graph.shaped(planes, PLANES, -1))
    place = graph.put("Concat", *[weights(net.place.unsqueeze(1))] * 2, axis=2)
    x = graph.put("Add", graph.shaped(x, channels, -1, 2 * HALF), place)
    for block in range(part.blocks):
        hidden = graph.shaped(mixed(x, block), channels, -1)
        change = graph.put("MatMul", weights(net.mix[block]), hidden)
        x = graph.put("Add", x, graph.shaped(change, channels, -1, 2 * HALF))
    hidden = graph.shaped(mixed(x, part.blocks), channels, -1, 8, 6)
    seen = graph.shaped(graph.put("Transpose", hidden, perm=[1, 2, 0, 3]), -1, 8, channels * 6)
    found = graph.put("MatMul", seen, weights(net.head.mT))
    found = graph.put("Add", found, weights(net.head_bias.mT.repeat(2, 1)))
    columns = np.zeros((7, 8), np.float32)
    for eighth, column in enumerate(COLUMNS):
        columns[column, eighth] = 0.5 if column == 3 else 1
    return graph.put("MatMul", columns, found)


def _answers(graph: Graph, found: str, weigh: str, slope: float) -> None:
    wanted = graph.shaped(graph.part(found, 2, 0, 1), -1, 7)
    scores = graph.put("Softmax", graph.part(found, 2, 1, OUTPUTS), name="scores", axis=2)
    numbers = np.arange(-MOST, MOST + 1, dtype=np.float32)
    outcomes = np.stack([numbers > 0, numbers == 0, numbers < 0], axis=1).astype(np.float32)
    graph.put("MatMul", scores, outcomes, name="outcomes")
    worth = np.sign(numbers) * (1 + slope * np.abs(numbers) / MOST)
    worths = graph.shaped(graph.put("MatMul", scores, worth.astype(np.float32)[:, None]), -1, 7)
    wishes = graph.put("Add", wanted, graph.put("Mul", worths, weigh))
    is_full = graph.put("ReduceSum", graph.part("stones", 2, 5, 6), np.array([1, 2], np.int64), keepdims=0)
    graph.put("Sub", wishes, graph.put("Mul", is_full, FULL_COLUMN), name="wishes")
