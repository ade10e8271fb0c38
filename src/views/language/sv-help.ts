/** The help; long, and loaded with its page. */
export const texts = import.meta.glob<Record<string, string>>('../../../locales/sv/help.json', {
  eager: true,
  import: 'default',
});
