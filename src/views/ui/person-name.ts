/**
 * Formats a DICOM person name (family^given^middle^prefix^suffix, PS3.5 6.2.1.1) for reading; of several component groups
 * (alphabetic=ideographic=phonetic) the first that is not empty. Returns null when there is no name.
 */
export const formatPersonName = (name: string | null): string | null => {
  const group = name?.split('=').find((part) => part.replaceAll('^', '').trim() !== '');
  if (!group) return null;
  const [family = '', given = '', middle = '', prefix = '', suffix = ''] = group.split('^').map((part) => part.trim());
  return [prefix, given, middle, family, suffix].filter(Boolean).join(' ');
};

/** Returns the initials of the first and last name. */
export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join('')
    .toUpperCase();
