/** How a person calls the commands on an archive, as usage texts and remedies show it. Packages set their own name. */
export const program = process.env.DENTARIUM_PROGRAM || 'npm run archive --';
