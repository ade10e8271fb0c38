type Path = readonly string[];

/** Returns whether PostgreSQL stores this text as it is: it has no NUL, and JSON of it no half of a surrogate pair. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Returns the path of the first text of a value that the database cannot store; null when there is none. Iterates, as JSON may be deep. */
export const unstorableIn = (value: unknown): Path | null => {
  const waiting: { readonly path: Path; readonly part: unknown }[] = [{ path: [], part: value }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, part } = next;
    if (typeof part === 'string' && !isStorable(part)) return path;
    if (typeof part !== 'object' || part === null) continue;
    for (const [key, inner] of Object.entries(part)) {
      if (!isStorable(key)) return path;
      waiting.push({ path: [...path, key], part: inner });
    }
  }
  return null;
};
