/** Thrown for a command set that breaks PS3.7; the message holds no value of it. */
export class CommandProblem extends Error {
  override readonly name = 'CommandProblem';
}

type Kind = 'uid' | 'number' | 'text' | 'tags' | 'length';

/** The elements of command sets that this program reads or writes (PS3.7 annex E.1). */
const elements = {
  groupLength: [0x0000, 'length'],
  affectedSopClassUid: [0x0002, 'uid'],
  requestedSopClassUid: [0x0003, 'uid'],
  commandField: [0x0100, 'number'],
  messageId: [0x0110, 'number'],
  respondedMessageId: [0x0120, 'number'],
  moveDestination: [0x0600, 'text'],
  priority: [0x0700, 'number'],
  dataSetType: [0x0800, 'number'],
  status: [0x0900, 'number'],
  offendingElements: [0x0901, 'tags'],
  errorComment: [0x0902, 'text'],
  errorId: [0x0903, 'number'],
  affectedSopInstanceUid: [0x1000, 'uid'],
  requestedSopInstanceUid: [0x1001, 'uid'],
  eventTypeId: [0x1002, 'number'],
  attributeIdentifiers: [0x1005, 'tags'],
  actionTypeId: [0x1008, 'number'],
  remainingSuboperations: [0x1020, 'number'],
  completedSuboperations: [0x1021, 'number'],
  failedSuboperations: [0x1022, 'number'],
  warningSuboperations: [0x1023, 'number'],
  moveOriginatorAeTitle: [0x1030, 'text'],
  moveOriginatorMessageId: [0x1031, 'number'],
} as const satisfies Readonly<Record<string, readonly [number, Kind]>>;

type Elements = typeof elements;
type Value<Of extends Kind> = Of extends 'uid' | 'text' ? string : Of extends 'tags' ? readonly number[] : number;

/** A command set; elements that are absent are undefined. */
export type CommandSet = { readonly [Name in Exclude<keyof Elements, 'groupLength'>]?: Value<Elements[Name][1]> } & {
  readonly commandField: number;
};

const names = new Map(Object.entries(elements).map(([name, [element]]) => [element as number, name as keyof Elements]));

/** No real command set comes near it. */
export const maxCommandBytes = 64 << 10;

const numberOf = (value: Buffer): number => {
  if (value.length !== 2) throw new CommandProblem('A number of the command set is not of two bytes');
  return value.readUInt16LE(0);
};

const uidOf = (value: Buffer): string => {
  const text = value.toString('latin1').replace(/[\0 ]+$/, '');
  if (text.length > 64 || !/^[0-9.]*$/.test(text)) throw new CommandProblem('A UID of the command set is malformed');
  return text;
};

const tagsOf = (value: Buffer): readonly number[] => {
  if (value.length % 4 !== 0) throw new CommandProblem('A list of tags of the command set is malformed');
  return Array.from(
    { length: value.length / 4 },
    (_, index) => value.readUInt16LE(index * 4) * 0x10000 + value.readUInt16LE(index * 4 + 2),
  );
};

const elementValue = (kind: Kind, value: Buffer): string | number | readonly number[] => {
  if (kind === 'uid') return uidOf(value);
  if (kind === 'tags') return tagsOf(value);
  if (kind === 'text') return value.toString('latin1').replace(/\0+$/, '').trim();
  if (kind === 'number') return numberOf(value);
  if (value.length !== 4) throw new CommandProblem('The group length of the command set is malformed');
  return value.readUInt32LE(0);
};

/**
 * Reads a command set: Implicit VR Little Endian, group 0000 only, ascending (PS3.7 6.3.1). Elements that are not known here are skipped.
 * @throws CommandProblem
 */
export const readCommandSet = (bytes: Buffer): CommandSet => {
  const found: Record<string, string | number | readonly number[]> = {};
  let last = -1;
  for (let at = 0; at < bytes.length; ) {
    if (at + 8 > bytes.length) throw new CommandProblem('The command set ends inside an element');
    const [group, element, length] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2), bytes.readUInt32LE(at + 4)];
    const end = at + 8 + length;
    if (group !== 0) throw new CommandProblem('The command set has an element of another group');
    if (element <= last) throw new CommandProblem('The elements of the command set are not in order');
    if (end > bytes.length) throw new CommandProblem('An element of the command set is too long');
    const name = names.get(element);
    // An empty element says as much as an absent one.
    if (name && length > 0) found[name] = elementValue(elements[name][1], bytes.subarray(at + 8, end));
    if (name === 'groupLength' && found.groupLength !== bytes.length - end)
      throw new CommandProblem('The group length of the command set is wrong');
    last = element;
    at = end;
  }
  if (found.commandField === undefined) throw new CommandProblem('The command set has no command field');
  const { groupLength: _, ...command } = found;
  return command as unknown as CommandSet;
};

const even = (text: string, padding: string): Buffer =>
  Buffer.from(text.length % 2 === 0 ? text : text + padding, 'latin1');

const bytesOf = (kind: Kind, value: string | number | readonly number[]): Buffer => {
  if (kind === 'uid') return even(String(value), '\0');
  if (kind === 'text') return even(String(value), ' ');
  const numbers = typeof value === 'number' ? [value] : kind === 'tags' ? (value as readonly number[]) : [];
  const bytes = Buffer.alloc(kind === 'number' ? 2 : numbers.length * 4);
  numbers.forEach((number, index) => {
    if (kind === 'number') bytes.writeUInt16LE(number, 0);
    else if (kind === 'length') bytes.writeUInt32LE(number, 0);
    else {
      bytes.writeUInt16LE(number >>> 16, index * 4);
      bytes.writeUInt16LE(number & 0xffff, index * 4 + 2);
    }
  });
  return bytes;
};

const elementOf = (name: keyof Elements, value: string | number | readonly number[]): Buffer => {
  const [element, kind] = elements[name];
  const body = bytesOf(kind, value);
  const header = Buffer.alloc(8);
  header.writeUInt16LE(element, 2);
  header.writeUInt32LE(body.length, 4);
  return Buffer.concat([header, body]);
};

/** Writes a command set with its group length. */
export const writeCommandSet = (command: CommandSet): Buffer => {
  const values = command as Readonly<Record<string, string | number | readonly number[] | undefined>>;
  const body = (Object.keys(elements) as (keyof Elements)[]).flatMap((name) => {
    const value = values[name];
    return name === 'groupLength' || value === undefined ? [] : [elementOf(name, value)];
  });
  const length = body.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([elementOf('groupLength', length), ...body]);
};
