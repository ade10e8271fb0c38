/**
 * A DICOM person name (family^given^middle^prefix^suffix, PS3.5 6.2.1.1) as people write it; of several component groups
 * (alphabetic=ideographic=phonetic) the first that says something. null when there is no name.
 */
export const personName = (name: string | null): string | null => {
  const group = name?.split('=').find((part) => part.replaceAll('^', '').trim() !== '');
  if (!group) return null;
  const [family = '', given = '', middle = '', prefix = '', suffix = ''] = group.split('^').map((part) => part.trim());
  return [prefix, given, middle, family, suffix].filter(Boolean).join(' ');
};
