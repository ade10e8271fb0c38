import type { Annotation, MarkAuthor, Measurement, StoredAnnotation } from '../../contract/displays.ts';

/** Authors of marks, with the version of the marks that they were saved with. */
export interface StoredAuthors {
  readonly version: number;
  readonly authors: readonly MarkAuthor[];
}

export interface StoredMarks {
  readonly marks: readonly Measurement[];
  readonly annotations: readonly StoredAnnotation[];
  readonly mark_authors: StoredAuthors | null;
  readonly marks_version: number;
}

export interface MarksChange {
  readonly marks: readonly Measurement[];
  readonly annotations: readonly Annotation[];
  readonly deletedAnnotations: readonly string[];
}

/** Keys have another order after a round trip through jsonb. */
const comparable = (mark: object): string =>
  JSON.stringify(Object.entries(mark).toSorted(([one], [other]) => (one < other ? -1 : 1)));

/** Returns the authors that are still true. An older server changes measurements without their authors, so those become unknown. */
export const knownAuthors = (stored: StoredMarks): readonly MarkAuthor[] => {
  if (!stored.mark_authors) return [];
  const { version, authors } = stored.mark_authors;
  if (version === stored.marks_version) return authors;
  return authors.filter(({ markId }) => stored.annotations.some(({ id }) => id === markId));
};

/** Returns the annotations after a change: new ones last, those that it does not name as they are. */
export const annotationsAfter = (
  stored: Pick<StoredMarks, 'annotations'>,
  { annotations, deletedAnnotations }: MarksChange,
): readonly StoredAnnotation[] => {
  const remaining = stored.annotations.filter(({ id }) => !deletedAnnotations.includes(id));
  const isStored = ({ id }: StoredAnnotation) => remaining.some((one) => one.id === id);
  return [
    ...remaining.map((one) => annotations.find(({ id }) => id === one.id) ?? one),
    ...annotations.filter((one) => !isStored(one)),
  ];
};

/** Returns the authors after a change: unchanged marks keep theirs, new and changed ones get `author`. */
export const authorsAfter = (
  stored: StoredMarks,
  next: Pick<StoredMarks, 'marks' | 'annotations'>,
  author: Omit<MarkAuthor, 'markId'>,
): readonly MarkAuthor[] => {
  const before = new Map([...stored.marks, ...stored.annotations].map((mark) => [mark.id, comparable(mark)]));
  const known = new Map(knownAuthors(stored).map((one) => [one.markId, one]));
  return [...next.marks, ...next.annotations].flatMap((mark) => {
    const isUnchanged = before.get(mark.id) === comparable(mark);
    return isUnchanged ? (known.get(mark.id) ?? []) : { markId: mark.id, ...author };
  });
};
