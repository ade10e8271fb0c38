import {
  type GradedKind,
  type GradeReport,
  type GradeTally,
  gradedIn,
  gradedKinds,
  sumOfTallies,
} from '../../contract/grade-report.ts';
import type { GradeReason } from '../../contract/grade-summary.ts';
import { imageKindOf } from '../../contract/image-kinds.ts';

/** Graded images that are alike in everything that the report counts by, and how many they are. */
export interface GradedImages {
  readonly modality: string;
  readonly teeth: readonly number[];
  readonly isCephalometric: boolean;
  readonly grade: 'A' | 'N';
  readonly reason: GradeReason | null;
  readonly operator: string | null;
  readonly images: number;
}

const kindOf = ({ modality, teeth, isCephalometric }: GradedImages): GradedKind => {
  if (isCephalometric) return 'cephalometric';
  const kind = imageKindOf(modality, teeth);
  return gradedKinds.find((one) => one === kind) ?? 'other';
};

const none = sumOfTallies([]);

const tallyOf = ({ grade, reason, images }: GradedImages): GradeTally =>
  grade === 'A' || reason === null
    ? { ...none, acceptable: images }
    : { ...none, notAcceptable: { ...none.notAcceptable, [reason]: images } };

const talliesBy = <Key>(graded: readonly GradedImages[], keyOf: (one: GradedImages) => Key): [Key, GradeTally][] =>
  [...Map.groupBy(graded, keyOf)].map(([key, rows]) => [key, sumOfTallies(rows.map(tallyOf))]);

/** Counts graded images by kind, and by who took them: most images first, those without a name last. */
export const gradeReportOf = (graded: readonly GradedImages[]): GradeReport => ({
  kinds: talliesBy(graded, kindOf)
    .map(([kind, tally]) => ({ kind, ...tally }))
    .sort((one, other) => gradedKinds.indexOf(one.kind) - gradedKinds.indexOf(other.kind)),
  operators: talliesBy(graded, ({ operator }) => operator)
    .map(([operator, tally]) => ({ operator, ...tally }))
    .sort(
      (one, other) =>
        Number(one.operator === null) - Number(other.operator === null) ||
        gradedIn(other).graded - gradedIn(one).graded,
    ),
});
