/** A part of an address in plain letters; as it stands where somebody wrote a percent sign that escapes nothing. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
