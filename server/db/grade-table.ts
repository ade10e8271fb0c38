import type { GradeReason } from '../../contract/grade-summary.ts';
import type { MomentByDefault } from './column-types.ts';

/** A saved quality grade of an image. Rows are only inserted; a trigger rejects anything else. */
export interface ImageGradeTable {
  image_id: string;
  /** From 1, without gaps. */
  version: number;
  /** Null: the grade before was withdrawn. */
  grade: 'A' | 'N' | null;
  /** Of N. */
  reason: GradeReason | null;
  /** Of the reason `other`, else empty. */
  text: string;
  /** Who took the image, as the file stated when it was graded. */
  operator: string | null;
  /** Whether the file stated a cephalostat. */
  is_cephalometric: boolean;
  author_id: string;
  /** Name of the author at that time. */
  author_name: string;
  saved_at: MomentByDefault;
}
