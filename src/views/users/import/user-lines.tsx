import { Table } from '@mantine/core';
import '@mantine/core/styles/Table.css';
import '@mantine/core/styles/ScrollArea.css';
import { useTranslation } from 'react-i18next';
import { useOutcomeTexts } from './line-text.ts';
import type { FileUser } from './read-user-file.ts';
import type { LineResult } from './use-user-import.ts';
import classes from './user-import.module.css';

interface UserLinesProps {
  readonly label: string;
  readonly users: readonly FileUser[];
  readonly results: ReadonlyMap<number, LineResult>;
}

/** The lines of a file of users with what happens to each. */
export const UserLines = ({ label, users, results }: UserLinesProps) => {
  const { t } = useTranslation('users');
  const outcomeTexts = useOutcomeTexts();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.lines} aria-label={label} tabIndex={0}>
      <Table stickyHeader aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('fileRow')}</Table.Th>
            <Table.Th>{t('name')}</Table.Th>
            <Table.Th>{t('email')}</Table.Th>
            <Table.Th>{t('role')}</Table.Th>
            <Table.Th>{t('fileOutcome')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {users.map((user) => {
            const { line, cells } = user;
            const result = results.get(line);
            return (
              <Table.Tr key={line} data-outcome={result?.outcome}>
                <Table.Th scope="row">{line}</Table.Th>
                <Table.Td>{`${cells.firstName} ${cells.lastName}`.trim()}</Table.Td>
                <Table.Td className={classes.email}>{cells.email}</Table.Td>
                <Table.Td>{cells.role}</Table.Td>
                <Table.Td className={classes.outcome}>
                  {outcomeTexts(user, result).map((text) => (
                    <p key={text}>{text}</p>
                  ))}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </section>
  );
};
