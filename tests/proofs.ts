/** A test that makes it happen: its file, ` > `, and its name or the beginning of it. */
export type Proof = `${'tests' | 'e2e'}/${string}.${'test' | 'spec'}.${'ts' | 'tsx'} > ${string}`;

export const views = (file: string, name: string): Proof => `tests/views/${file}.test.tsx > ${name}`;
export const archive = (file: string, name: string): Proof => `tests/server/${file}.test.ts > ${name}`;
export const service = (file: string, name: string): Proof => `tests/services/${file}.test.ts > ${name}`;
export const journey = (file: string, name: string): Proof => `e2e/journeys/${file}.spec.ts > ${name}`;
