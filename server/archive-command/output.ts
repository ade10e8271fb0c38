/** What a command prints on stdout, and whether it found problems (exit code 3). */
export interface CommandOutput {
  readonly text: string;
  readonly hasProblems: boolean;
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

interface OutputOptions {
  readonly json: boolean;
  readonly hasProblems?: boolean;
  /** Says for people what the result means. */
  readonly summary?: string;
}

/** A result as one JSON object, or as a line for each of its fields and the summary. */
export const outputOf = (result: object, { json, hasProblems = false, summary }: OutputOptions): CommandOutput => {
  const fields = Object.entries(result).map(([name, value]) => `${name}: ${textOf(value)}`);
  const lines = summary === undefined ? fields : [...fields, summary];
  return { text: json ? `${JSON.stringify(result)}\n` : lines.map((line) => `${line}\n`).join(''), hasProblems };
};

export const help = (text: string): CommandOutput => ({ text, hasProblems: false });
