import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useAdministration } from '../app/loaded-services.ts';
import { systemPath } from '../app/paths.ts';
import classes from './system.module.css';

const refreshMs = 60_000;

/** Returns the status of the installation, refreshed every minute. */
export const useSystemStatus = () => useQuery({ ...useAdministration().systemStatus(), refetchInterval: refreshMs });

/** Header link to the installation warnings; hidden when there are none. */
export const SystemWarningsLink = () => {
  const { t } = useTranslation('system');
  const count = useSystemStatus().data?.warnings.length ?? 0;
  if (count === 0) return null;
  const label = t('warnings', { count });
  return (
    <Link href={systemPath} className={classes.link} aria-label={label} title={label}>
      <IconAlertTriangle />
      <span>{label}</span>
    </Link>
  );
};
