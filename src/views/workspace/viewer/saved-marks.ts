import { type Annotation, annotation, type Mark } from '../../../../contract/displays.ts';
import type { ImageInfo } from '../../../../contract/images.ts';
import { isEqual } from '../../../machines/viewer/versioned.rules.ts';

type StoredMarks = Pick<ImageInfo, 'marks' | 'annotations' | 'markAuthors'>;

const known = ({ annotations = [] }: StoredMarks): readonly Annotation[] =>
  annotations.flatMap((one) => annotation.safeParse(one).data ?? []);

/** Returns the saved marks of an image that this version can draw. */
export const savedMarks = (image: StoredMarks): readonly Mark[] => [...image.marks, ...known(image)];

/** Returns how many saved marks are of kinds that this version does not know. They stay in the archive. */
export const unknownMarks = (image: StoredMarks): number => (image.annotations?.length ?? 0) - known(image).length;

/** Returns author and time of marks by id. A mark that was changed and not saved since has none: they would be those before the change. */
export const authorTextsOf = (
  image: StoredMarks,
  marks: readonly Mark[],
  authorTextOf: (author: { readonly name: string; readonly at: string }) => string,
): Readonly<Record<string, string>> => {
  const authors = image.markAuthors ?? [];
  if (authors.length === 0) return {};
  const saved = savedMarks(image);
  return Object.fromEntries(
    authors
      .filter(({ markId }) => {
        const now = marks.find(({ id }) => id === markId);
        return now && saved.some((one) => one.id === markId && isEqual(one, now));
      })
      .map((author) => [author.markId, authorTextOf(author)]),
  );
};
