/** Variables that scripts, tests and benchmarks use themselves: no settings of an installation. A name that ends in `_` is a prefix. */
export const internalVariables = [
  'DENTARIUM_ARCHIVE',
  'DENTARIUM_BENCH_',
  'DENTARIUM_CHROMIUM',
  'DENTARIUM_OHIF',
  'DENTARIUM_COMMIT',
  'DENTARIUM_CORPUS',
  'DENTARIUM_COVER',
  'DENTARIUM_DICOMWEB_SUITE',
  'DENTARIUM_FUZZ_',
  'DENTARIUM_IMPORT_RUNS',
  'DENTARIUM_KILLS',
  'DENTARIUM_OUTAGES',
  'DENTARIUM_PRINT',
  'DENTARIUM_PROGRAM',
  'DENTARIUM_SCREENSHOTS',
  'DENTARIUM_SEED',
  'DENTARIUM_TEST_',
  'PGPASSWORD',
  'npm_execpath',
] as const;

export const isInternalVariable = (name: string): boolean =>
  internalVariables.some((internal) => (internal.endsWith('_') ? name.startsWith(internal) : name === internal));
