/** What is said before anybody is signed in. */
export const texts = import.meta.glob<Record<string, string>>(
  '../../../locales/da/{failure,roles,shell,sign-in}.json',
  {
    eager: true,
    import: 'default',
  },
);
