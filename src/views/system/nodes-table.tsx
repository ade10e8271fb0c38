import { Table } from '@mantine/core';
import '@mantine/core/styles/ScrollArea.css';
import '@mantine/core/styles/Table.css';
import { useTranslation } from 'react-i18next';
import type { SystemDetails } from '../../../contract/system-status.ts';
import { useMomentText } from '../language/file-error-text.ts';
import classes from './parts.module.css';
import { StateMark } from './state-mark.tsx';

/** The running servers of the installation. */
export const NodesTable = ({ nodes }: { readonly nodes: SystemDetails['nodes'] }) => {
  const { t } = useTranslation('system-details');
  const momentText = useMomentText();
  return (
    <section className={classes.nodes}>
      <h3 className={classes.name}>{t('nodes')}</h3>
      <Table.ScrollContainer minWidth={620} tabIndex={0} role="region" aria-label={t('nodes')}>
        <Table aria-label={t('nodes')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('node')}</Table.Th>
              <Table.Th>{t('node-state')}</Table.Th>
              <Table.Th>{t('version')}</Table.Th>
              <Table.Th>{t('node-started')}</Table.Th>
              <Table.Th>{t('node-seen')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {nodes.map(({ id, name, state, version, startedAt, seenAt, isThis }) => (
              <Table.Tr key={id}>
                <Table.Td>{isThis ? t('node-this', { name }) : name}</Table.Td>
                <Table.Td>
                  <StateMark state={state}>{state === 'ok' ? t('state-ok') : t(`node-${state}`)}</StateMark>
                </Table.Td>
                <Table.Td>{version}</Table.Td>
                <Table.Td>{momentText(startedAt)}</Table.Td>
                <Table.Td>{momentText(seenAt)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {nodes.some(({ state }) => state !== 'ok') && <p>{t('node-cure')}</p>}
    </section>
  );
};
