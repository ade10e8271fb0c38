/** What is said on the way in, beyond the list of ways; loaded with the first page of one. */
export const texts = import.meta.glob<Record<string, string>>(
  '../../../locales/no/{bank-id,interaction,password,reset-password,setup}.json',
  { eager: true, import: 'default' },
);
