/** Result of one check of `doctor`. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'error';
  readonly text: string;
  /** What to do; null when nothing is to do. */
  readonly cure: string | null;
}

export const ok = (name: string, text: string): Check => ({ name, state: 'ok', text, cure: null });
export const warning = (name: string, text: string, cure: string): Check => ({ name, state: 'warning', text, cure });
export const failure = (name: string, text: string, cure: string): Check => ({ name, state: 'error', text, cure });

/** A failure from a sentence like "the problem: what to do". */
export const failureOf = (name: string, sentence: string): Check => {
  const [text = '', ...cure] = sentence.split(': ');
  const remedy = cure.join(': ');
  return failure(name, text, `${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}`);
};

/** Kind of an error without its message, which may name an address or a value. */
export const kindOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown error';
  return 'code' in error ? String(error.code) : error.name;
};

/** Runs a check; an unexpected error becomes its result. */
export const guarded = async (name: string, cure: string, work: () => Promise<Check>): Promise<Check> => {
  try {
    return await work();
  } catch (error) {
    return failure(name, `the check failed (${kindOf(error)})`, cure);
  }
};
