import '@mantine/core/styles/ScrollArea.css';
import '@mantine/core/styles/Combobox.css';
import '@mantine/core/styles/Badge.css';
import '@mantine/core/styles/Tabs.css';
import { Button, Skeleton } from '@mantine/core';
import IconUserShield from '@tabler/icons-react/dist/esm/icons/IconUserShield.mjs';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { SessionActor } from '../../machines/session/session.machine.ts';
import { useAdministration } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { Notice } from '../ui/notice.tsx';
import { PageHeading } from '../ui/page-heading.tsx';
import classes from './roles.module.css';
import { RolesView } from './roles-view.tsx';

const rowsWhileLoading = ['first', 'second', 'third', 'fourth', 'fifth'];

/** Lists the roles up to the user's own rank and edits them. */
export const RolesPage = ({ session }: { readonly session: SessionActor }) => {
  const { t } = useTranslation(['role-admin', 'shell']);
  const failureText = useFailureText();
  const { data, error, refetch } = useQuery(useAdministration().roles());
  if (data) return <RolesView session={session} roles={data} />;
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
        <PageHeading>{t('title')}</PageHeading>
      </div>
      <div className={classes.list}>
        {rowsWhileLoading.map((row) => (
          <Skeleton key={row} height={48} mb={4} />
        ))}
      </div>
    </div>
  );
};
