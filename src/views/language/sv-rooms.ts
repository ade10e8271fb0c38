/** All other texts; loaded with the rooms behind the sign-in. */
export const texts = import.meta.glob<Record<string, string>>(
  [
    '../../../locales/sv/*.json',
    '!../../../locales/sv/{failure,fault,help,machines,new-version,offline,roles,shell,sign-in,bank-id,interaction,reset-password,setup}.json',
  ],
  { eager: true, import: 'default' },
);
