/** Returns the component groups of a DICOM person name (alphabetic=ideographic=phonetic) that are not empty. */
export const groupsOfName = (name: string | null): readonly string[] =>
  (name ?? '').split('=').filter((group) => group.replaceAll('^', '').trim() !== '');

const partsOf = (group: string): readonly string[] => group.split('^').map((part) => part.trim());

/**
 * Formats a DICOM person name (family^given^middle^prefix^suffix, PS3.5 6.2.1.1) for reading. Of several component groups
 * (alphabetic=ideographic=phonetic) the first that is not empty, and the others in brackets as written. Returns null when there is no name.
 */
export const formatPersonName = (name: string | null): string | null => {
  const [first, ...others] = groupsOfName(name);
  if (!first) return null;
  const [family = '', given = '', middle = '', prefix = '', suffix = ''] = partsOf(first);
  const text = [prefix, given, middle, family, suffix].filter(Boolean).join(' ');
  if (others.length === 0) return text;
  return `${text} (${others.map((group) => partsOf(group).filter(Boolean).join(' ')).join(', ')})`;
};

/** Returns the initials of the first and last name. */
export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join('')
    .toUpperCase();
