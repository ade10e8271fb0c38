import IconCalendarCheck from '@tabler/icons-react/dist/esm/icons/IconCalendarCheck.mjs';
import dayjs from 'dayjs';
import { useTranslation } from 'react-i18next';
import {
  type DayListKind,
  type DayPatient,
  openedLimit,
  waitingDays,
  waitingReasons,
} from '../../../contract/day-lists.ts';
import { useListUrlState } from '../app/list-url-state.ts';
import { useRecords } from '../app/loaded-services.ts';
import { Notice } from '../ui/notice.tsx';
import type { Column } from '../ui/record-table/columns.ts';
import { FoundList, type ListFrame } from './found-list.tsx';
import { previewOfPatient, usePatientColumns } from './patient-list.tsx';
import { nameOfPatient } from './row-names.ts';
import classes from './search.module.css';
import { patientLists } from './search-url.ts';

interface DayListProps {
  readonly frame: ListFrame;
  readonly title: string;
  readonly list: DayListKind;
}

/** Hours and minutes of a moment of today, else date and time. */
const atText = (at: string): string => {
  const moment = dayjs(at);
  return moment.format(moment.isSame(dayjs(), 'day') ? 'HH:mm' : 'YYYY-MM-DD HH:mm');
};

/** Patients with images of today, opened last by the user, or with images on which work remains. */
export const DayList = ({ frame, title, list: kind }: DayListProps) => {
  const { t } = useTranslation('search');
  const { dayList } = useRecords();
  const list = useListUrlState(patientLists);
  const { clinicId, url, tools } = frame;
  const waitsText = ({ images }: DayPatient) =>
    waitingReasons
      .filter((reason) => images !== null && images[reason] > 0)
      .map((reason) => t(`waits-${reason}`, { count: images?.[reason] ?? 0 }))
      .join(', ');
  const [name, personalNumber, age] = usePatientColumns(list.q);
  const ofImages: readonly Column<DayPatient, 'found'>[] = [
    {
      key: 'images',
      name: t('images'),
      widthShare: 0.6,
      isNumber: true,
      text: ({ images }) => String(images?.total ?? ''),
    },
    {
      key: 'waits',
      name: t('waits'),
      widthShare: 2.2,
      narrow: true,
      text: waitsText,
      render: (patient) => <span className={classes.reasons}>{waitsText(patient)}</span>,
    },
  ];
  const columns: readonly Column<DayPatient, 'found'>[] = [
    ...[name, personalNumber, age].filter((column) => column !== undefined),
    ...(kind === 'opened' ? [] : ofImages),
    { key: 'at', name: t(kind === 'opened' ? 'openedAt' : 'importedAt'), widthShare: 1, text: ({ at }) => atText(at) },
  ];
  return (
    <FoundList
      frame={frame}
      title={title}
      list={list}
      read={({ q, page, ppage }) =>
        dayList({
          customerId: clinicId,
          list: kind,
          page,
          ppage,
          ...(q && { q }),
          ...(kind === 'waiting' && url.reason && { reason: url.reason }),
        })
      }
      columns={columns}
      columnsKey={`${kind}-columns`}
      nameOf={nameOfPatient}
      hrefOf={({ id }) => `/patient/${id}`}
      previewOf={previewOfPatient}
      empty={
        <Notice
          title={t(`empty-${kind}`)}
          text={t(`empty-${kind}-text`, { limit: openedLimit, days: waitingDays })}
          icon={<IconCalendarCheck />}
          action={tools}
        />
      }
    />
  );
};
