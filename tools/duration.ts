const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
] as const;

/** Returns a duration as text: 5000 as `5 s`, 300 as `300 ms`, 90000 as `1 min 30 s`. */
export const durationOf = (ms: number): string => {
  if (ms < 1_000 || ms % 100 !== 0) return `${ms} ms`;
  const parts: string[] = [];
  let left = ms;
  for (const [length, unit] of units) {
    if (left >= length) parts.push(`${Math.floor(left / length)} ${unit}`);
    left %= length;
  }
  return [...parts, ...(left > 0 ? [`${left / 1_000} s`] : [])].join(' ');
};
