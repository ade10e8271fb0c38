import { type AccessAction, accessAction } from '../../../contract/access-log.ts';
import { dateOnly } from '../../../contract/bounds.ts';
import type { LogAsked } from '../ground.tsx';

/** What narrows the log. Ids alone: no name and no personal number ever stands in an address. */
export interface LogFilter {
  readonly from: string | null;
  readonly to: string | null;
  readonly person: string | null;
  readonly patient: string | null;
  readonly action: AccessAction | null;
  readonly clinic: string | null;
}

const isId = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
const idOf = (text: string | null) => (text !== null && isId(text) ? text : null);
const dayOf = (text: string | null) => dateOnly.safeParse(text).data ?? null;

/** An address as a filter; what makes no sense in it narrows nothing. */
export const filterOf = (params: URLSearchParams): LogFilter => ({
  from: dayOf(params.get('from')),
  to: dayOf(params.get('to')),
  person: idOf(params.get('person')),
  patient: idOf(params.get('patient')),
  action: accessAction.safeParse(params.get('action')).data ?? null,
  clinic: idOf(params.get('clinic')),
});

export const paramsOf = (filter: LogFilter): URLSearchParams =>
  new URLSearchParams(Object.entries(filter).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));

export const logPath = (filter: Partial<LogFilter> = {}): string => {
  const query = paramsOf({ ...filterOf(new URLSearchParams()), ...filter }).toString();
  return query === '' ? '/log' : `/log?${query}`;
};

/** A period that ends before it begins holds nothing, and is a slip of the hand. */
export const isBackwards = ({ from, to }: Pick<LogFilter, 'from' | 'to'>): boolean =>
  from !== null && to !== null && to < from;

/** @param everyClinic the person may choose clinics; else the archive knows theirs */
export const askedOf = (filter: LogFilter, everyClinic: boolean): LogAsked => ({
  ...(filter.from !== null && { from: filter.from }),
  ...(filter.to !== null && { to: filter.to }),
  ...(filter.person !== null && { accountId: filter.person }),
  ...(filter.patient !== null && { patientId: filter.patient }),
  ...(filter.action !== null && { action: filter.action }),
  ...(everyClinic && filter.clinic !== null && { customerId: filter.clinic }),
});
