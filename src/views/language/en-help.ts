/** The help; long, and loaded with its page. */
export const texts = import.meta.glob<Record<string, string>>('../../../locales/en/help.json', {
  eager: true,
  import: 'default',
});
