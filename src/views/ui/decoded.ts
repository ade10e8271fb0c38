/** Decodes a URL component; returns it unchanged when it is malformed. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
