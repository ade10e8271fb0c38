import type { DataSet } from './data-set.ts';
import { tags } from './tags.ts';
import { personNameGroups } from './text.ts';

/** How and by whom a radiograph was taken, as its file states it. */
export interface Acquisition {
  /** First of Operators' Name, given names first; null when not stated. */
  readonly operator: string | null;
  /** Whether Positioner Type or Image Type states a cephalometric image. */
  readonly isCephalometric: boolean;
}

const maxNameLength = 200;

const operatorOf = (dataSet: DataSet): string | null => {
  const [first = ''] = (dataSet.text(tags.operatorsName) ?? '').split('\\');
  const [family = '', given = '', middle = ''] = personNameGroups(first).alphabetic.split('^');
  const name = [given, middle, family].flatMap((part) => part.trim() || []).join(' ');
  return name.slice(0, maxNameLength) || null;
};

/** Reads how and by whom a radiograph was taken. */
export const acquisitionOf = (dataSet: DataSet): Acquisition => ({
  operator: operatorOf(dataSet),
  isCephalometric:
    dataSet.code(tags.positionerType) === 'CEPHALOSTAT' || dataSet.codes(tags.imageType).includes('CEPHALOMETRIC'),
});
