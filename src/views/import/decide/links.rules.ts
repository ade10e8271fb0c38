import type { ImportDecision } from '../../../../contract/imports.ts';
import type { Slot } from '../../../../contract/viewsets.ts';

/** Which file goes into which slot: item index of the template -> id of the file. */
export type Links = ImportDecision['imagesHashMap'];

/** The slot of a file; null: it lies in the tray. */
export const slotOfFile = (links: Links, fileId: string): number | null => {
  const found = Object.entries(links).find(([, id]) => id === fileId);
  return found ? Number(found[0]) : null;
};

const without = (links: Links, itemIndex: number): Links =>
  Object.fromEntries(Object.entries(links).filter(([index]) => index !== String(itemIndex)));

/** Takes a file out of its slot. */
export const takenOut = (links: Links, itemIndex: number): Links => without(links, itemIndex);

/**
 * Puts a file into a slot. What is there changes places with it: into the slot that the file comes from, or into the tray when it comes from
 * there. A file is in one slot at most.
 */
export const putInto = (links: Links, fileId: string, itemIndex: number): Links => {
  const from = slotOfFile(links, fileId);
  if (from === itemIndex) return links;
  const there = links[String(itemIndex)];
  const rest = from === null ? links : without(links, from);
  return {
    ...rest,
    ...(from !== null && there !== undefined && { [String(from)]: there }),
    [String(itemIndex)]: fileId,
  };
};

/** Links into slots that there are, of files that there are. */
export const linksWithin = (
  links: Links,
  slots: readonly Pick<Slot, 'itemIndex'>[],
  fileIds: ReadonlySet<string>,
): Links =>
  Object.fromEntries(
    Object.entries(links).filter(
      ([index, id]) => fileIds.has(id) && slots.some(({ itemIndex }) => String(itemIndex) === index),
    ),
  );

/** The slot is for other teeth than the file says. Where one of them says nothing, nothing contradicts. */
export const contradicts = (slotTeeth: readonly number[], fileTeeth: readonly number[]): boolean =>
  slotTeeth.length > 0 && fileTeeth.length > 0 && !slotTeeth.some((tooth) => fileTeeth.includes(tooth));
