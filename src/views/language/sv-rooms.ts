/** All other texts; loaded with the rooms behind the sign-in. */
export const texts = import.meta.glob<Record<string, string>>(
  ['../../../locales/sv/*.json', '!../../../locales/sv/{failure,roles,setup,shell,sign-in}.json'],
  { eager: true, import: 'default' },
);
