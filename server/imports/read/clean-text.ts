const maxTextLength = 1024;

/** Returns header text as PostgreSQL accepts it: without NUL and of limited length. Null when nothing is left. */
export const cleanText = (text: string | null): string | null =>
  text?.replaceAll('\0', '').trim().slice(0, maxTextLength) || null;
