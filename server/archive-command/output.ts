/** What a command prints on stdout, and whether it found problems (exit code 3). */
export interface CommandOutput {
  readonly text: string;
  readonly hasProblems: boolean;
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** A result as one JSON object, or as a line for each of its fields. */
export const outputOf = (result: object, { json, hasProblems = false }: { json: boolean; hasProblems?: boolean }) => {
  const lines = Object.entries(result).map(([name, value]) => `${name}: ${textOf(value)}\n`);
  return { text: json ? `${JSON.stringify(result)}\n` : lines.join(''), hasProblems };
};

export const help = (text: string): CommandOutput => ({ text, hasProblems: false });
