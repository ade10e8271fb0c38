/** All other texts; loaded with the rooms behind the sign-in. */
export const texts = import.meta.glob<Record<string, string>>(
  ['../../../locales/no/*.json', '!../../../locales/no/{failure,roles,setup,shell,sign-in}.json'],
  { eager: true, import: 'default' },
);
