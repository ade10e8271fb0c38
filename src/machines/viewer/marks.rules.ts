import { type Annotation, isAnnotation, type Mark } from '../../../contract/displays.ts';
import { isEqual } from './versioned.rules.ts';

/** Returns whether `after` has a mark that `before` lacks. */
export const isMarkAdded = (before: readonly Mark[], after: readonly Mark[]): boolean =>
  after.some((mark) => !before.some(({ id }) => id === mark.id));

/** Returns `known` if both are the same marks: the archive lists measurements first and restored annotations last. */
export const inKnownOrder = (known: readonly Mark[], marks: readonly Mark[]): readonly Mark[] =>
  known.length === marks.length && known.every((mark) => marks.some((other) => isEqual(mark, other))) ? known : marks;

/** Annotations are saved one by one, because the archive may have some that this page does not know. */
export interface AnnotationChanges {
  readonly annotations?: readonly Annotation[];
  readonly deletedAnnotations?: readonly string[];
}

/** Returns the annotations that were drawn or changed, and the ids of the deleted ones. A list without content is left out. */
export const annotationChanges = (before: readonly Mark[], after: readonly Mark[]): AnnotationChanges => {
  const annotations = after.filter(isAnnotation).filter((mark) => !before.some((one) => isEqual(one, mark)));
  const deletedAnnotations = before
    .filter((mark) => isAnnotation(mark) && !after.some(({ id }) => id === mark.id))
    .map(({ id }) => id);
  return {
    ...(annotations.length > 0 && { annotations }),
    ...(deletedAnnotations.length > 0 && { deletedAnnotations }),
  };
};
