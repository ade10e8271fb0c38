import '@mantine/core/styles/ScrollArea.css';
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Badge.css';
import '@mantine/core/styles/Tabs.css';
import { Button, Skeleton } from '@mantine/core';
import IconUserShield from '@tabler/icons-react/dist/esm/icons/IconUserShield.mjs';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { SessionActor } from '../../machines/session/session.machine.ts';
import { useAdministration } from '../administration.ts';
import { useFailureText } from '../language/failure-text.ts';
import { Notice } from '../parts/notice.tsx';
import { failureOfQuery } from '../reading.tsx';
import classes from './roles.module.css';
import { RolesRoom } from './roles-room.tsx';

const rowsWhileLoading = ['first', 'second', 'third', 'fourth', 'fifth'];

/** Roles of one's own rank and below: what each may do, who holds it, and every change of it that this person may make. */
export const RolesPage = ({ session }: { readonly session: SessionActor }) => {
  const { t } = useTranslation(['role-admin', 'shell']);
  const failureText = useFailureText();
  const { data, error, refetch } = useQuery(useAdministration().roles());
  if (data) return <RolesRoom session={session} roles={data} />;
  if (error)
    return (
      <Notice
        isPage
        urgent
        title={t('loadFailed')}
        text={failureText(failureOfQuery(error))}
        icon={<IconUserShield />}
        action={<Button onClick={() => void refetch()}>{t('shell:retry')}</Button>}
      />
    );
  return (
    <div className={classes.page} aria-busy="true">
      <div className={classes.head}>
        <h1 className={classes.title}>{t('title')}</h1>
      </div>
      <div className={classes.list}>
        {rowsWhileLoading.map((row) => (
          <Skeleton key={row} height={48} mb={4} />
        ))}
      </div>
    </div>
  );
};
