// Places for nodes that have no coordinates: classical multidimensional scaling of the symmetrised matrix, on a
// sample of pivots so that a thousand nodes take no noticeable time.

import type { Matrix } from "./wire";

const PIVOTS = 80;
const ROUNDS = 60;

/** Costs both ways averaged; a missing way counts as half as long again as the longest. */
function nearness(matrix: Matrix): (one: number, other: number) => number {
  let longest = 0;
  for (const row of matrix) for (const cost of row) if (cost !== null && cost > longest) longest = cost;
  const far = 1.5 * longest;
  return (one, other) => (one === other ? 0 : ((matrix[one]?.[other] ?? far) + (matrix[other]?.[one] ?? far)) / 2);
}

/** Each next pivot is the node that is farthest from all before. */
function pivots(count: number, distance: (one: number, other: number) => number): number[] {
  const chosen = [0];
  const reach = Array.from({ length: count }, (_, node) => distance(0, node));
  while (chosen.length < Math.min(count, PIVOTS)) {
    const next = reach.indexOf(Math.max(...reach));
    chosen.push(next);
    for (let node = 0; node < count; node += 1) reach[node] = Math.min(reach[node]!, distance(next, node));
    reach[next] = -1;
  }
  return chosen;
}

/** Squared distances to the pivots, rows and columns centred: (nodes, pivots). */
function centred(count: number, chosen: number[], distance: (one: number, other: number) => number): number[][] {
  const table = Array.from({ length: count }, (_, node) => chosen.map((pivot) => distance(node, pivot) ** 2));
  const columns = chosen.map((_, pivot) => table.reduce((sum, row) => sum + row[pivot]!, 0) / count);
  const all = columns.reduce((sum, value) => sum + value, 0) / chosen.length;
  return table.map((row) => {
    const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
    return row.map((value, pivot) => -(value - mean - columns[pivot]! + all) / 2);
  });
}

function product(table: number[][], vector: number[]): number[] {
  return table.map((row) => row.reduce((sum, value, index) => sum + value * vector[index]!, 0));
}

/** Leading direction of a symmetric table, orthogonal to those before, by repeated multiplication. */
function leading(table: number[][], before: number[][]): number[] {
  // Fixed and irregular, so that it is orthogonal to no direction that matters.
  let vector = table.map((_, index) => Math.sin(1 + 7 * index * (1 + before.length)));
  for (let round = 0; round < ROUNDS; round += 1) {
    vector = product(table, vector);
    for (const other of before) {
      const share = vector.reduce((sum, value, index) => sum + value * other[index]!, 0);
      vector = vector.map((value, index) => value - share * other[index]!);
    }
    const length = Math.hypot(...vector);
    if (!(length > 0)) return vector.map(() => 0);
    vector = vector.map((value) => value / length);
  }
  return vector;
}

/** Two coordinates per node, about as far apart as the matrix says. */
export function embed(matrix: Matrix): [number, number][] {
  const count = matrix.length;
  if (count < 3) return matrix.map((_, node) => [node, 0]);
  const distance = nearness(matrix);
  const table = centred(count, pivots(count, distance), distance);
  const size = table[0]!.length;
  const square = Array.from({ length: size }, (_, one) =>
    Array.from({ length: size }, (_, other) => table.reduce((sum, row) => sum + row[one]! * row[other]!, 0)),
  );
  const first = leading(square, []);
  const second = leading(square, [first]);
  const [xs, ys] = [product(table, first), product(table, second)];
  return xs.map((x, node) => [x, ys[node]!]);
}
