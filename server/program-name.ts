import path from 'node:path';

const installed = process.env.DENTARIUM_PROGRAM;

/** How a person calls the commands on an archive, as usage texts and remedies show it. Packages set their own name. */
export const program = installed || 'npm run archive --';

/** Returns the path of a page of docs/, as messages name it. */
export const documentation = (page: string): string =>
  installed ? path.join(import.meta.dirname, '..', 'docs', page) : `docs/${page}`;
