export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};

const ms = (value: number) => `${value.toFixed(1)} ms`;

/** `name: ours 10.0 ms, peer 30.0 ms: 3.00 times as fast` and the ratio of each run, which shows the variance. */
export const compared = (name: string, ours: readonly number[], peer: readonly number[]): string => {
  const ratios = ours.map((value, index) => ((peer[index] ?? 0) / value).toFixed(2));
  const ratio = (median(peer) / median(ours)).toFixed(2);
  return `${name}: ours ${ms(median(ours))}, Cornerstone ${ms(median(peer))}: ${ratio} times as fast (runs ${ratios.join(', ')})`;
};

/** The value that `part` of a hundred do not exceed. */
export const percentile = (values: readonly number[], part: number): number =>
  [...values].sort((one, other) => one - other)[Math.max(0, Math.ceil((values.length * part) / 100) - 1)] ?? 0;
