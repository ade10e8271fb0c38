const longestText = 1024;

/** Text of a header as the database can keep it: PostgreSQL takes no NUL, and a broken file can hold any length. Null when nothing is left. */
export const cleanText = (text: string | null): string | null =>
  text?.replaceAll('\0', '').trim().slice(0, longestText) || null;
