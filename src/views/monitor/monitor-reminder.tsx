import IconDeviceDesktopExclamation from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktopExclamation.mjs';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { monitorPath } from '../app/paths.ts';
import { useAppQueries } from '../app/queries-context.tsx';
import { today } from '../ui/dates.ts';
import classes from './monitor.module.css';

const refreshMs = 10 * 60_000;

interface MonitorReminderProps {
  readonly clinicId: string;
  readonly workstation: string;
}

/** Header link to the monitor check, when the clinic has checked this workstation before and not today. */
export const MonitorReminder = ({ clinicId, workstation }: MonitorReminderProps) => {
  const { t } = useTranslation('header');
  // The day changes in a page that stays open, so it is that of the last reply.
  const { data, dataUpdatedAt } = useQuery({
    ...useAppQueries().monitorChecks(clinicId, { workstation, page: 1, ppage: 1 }),
    refetchInterval: refreshMs,
    refetchOnWindowFocus: true,
  });
  const newest = data?.data[0];
  if (!newest || newest.day >= today(new Date(dataUpdatedAt))) return null;
  const label = t('monitorReminder');
  return (
    <Link href={monitorPath(clinicId)} className={classes.reminder} aria-label={label} title={label}>
      <IconDeviceDesktopExclamation />
      <span>{label}</span>
    </Link>
  );
};
