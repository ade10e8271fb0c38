/** A clinic's name for the chip: 25 characters or more are cut to 21 and an ellipsis. */
export const clipName = (name: string): string => {
  const letters = [...name];
  return letters.length >= 25 ? `${letters.slice(0, 21).join('').trimEnd()}…` : name;
};
