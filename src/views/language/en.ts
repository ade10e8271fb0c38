/** All texts of one language, by namespace; loaded when the language is chosen. */
export const texts = import.meta.glob<Record<string, string>>('../../../locales/en/*.json', {
  eager: true,
  import: 'default',
});
