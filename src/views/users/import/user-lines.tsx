import '@mantine/core/styles/Table.css';
import '@mantine/core/styles/ScrollArea.css';
import { Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ErrorItem } from '../../../../contract/problem.ts';
import type { RejectedLine, UserFileColumn } from '../../../../contract/user-files.ts';
import { useFailureText } from '../../language/failure-text.ts';
import { isNumberProblem } from '../user-form.rules.ts';
import type { FileUser } from './read-user-file.ts';
import type { LineResult } from './use-user-import.ts';
import classes from './user-import.module.css';

const isColumn = (key: string, cells: FileUser['cells']): key is UserFileColumn => Object.hasOwn(cells, key);
const columnOf = (fieldKey: string): string => (/^roles(\.|$)/.test(fieldKey) ? 'role' : fieldKey);

/** Returns what is wrong with the text of a column. */
const useCellText = () => {
  const { t } = useTranslation(['users', 'dates']);
  return (column: UserFileColumn, text: string, vars: ErrorItem['vars']): string => {
    if (text === '') return t('fileEmpty');
    if (column === 'role') return t('fileNoRole', { role: text });
    if (column === 'hiredSince') return t('dates:otherForm');
    if (column === 'personalNumber' && isNumberProblem(vars?.rule)) return t(`number-${vars.rule}`);
    if (vars?.max !== undefined) return t('atMost', { max: vars.max });
    if (vars?.min !== undefined) return t('fileTooShort', { min: vars.min });
    return column === 'email' ? t('emailInvalid') : t('fileRefused');
  };
};

/** Returns why a line cannot be added, one text for each reason. */
const useRejectionTexts = () => {
  const { t } = useTranslation('users');
  const cellText = useCellText();
  const failureText = useFailureText();
  return ({ cells }: FileUser, { code, errors, claims }: RejectedLine): readonly string[] => {
    const ofColumn = ({ fieldKey, vars }: ErrorItem): string | null => {
      const column = columnOf(fieldKey);
      if (!isColumn(column, cells)) return null;
      const reason = () => {
        if (code === 'invalid-request') return cellText(column, cells[column], vars);
        if (vars?.repeatedLine !== undefined) return t('fileRepeated', { line: vars.repeatedLine });
        return failureText({ kind: 'refused', code, claims });
      };
      return t('fileColumn', { column: t(column), reason: reason() });
    };
    const texts = errors.map(ofColumn).filter((text) => text !== null);
    return texts.length > 0 ? texts : [failureText({ kind: 'refused', code, claims })];
  };
};

/** Returns what happens to a line, or happened. */
const useOutcomeTexts = () => {
  const { t } = useTranslation('users');
  const failureText = useFailureText();
  const rejectionTexts = useRejectionTexts();
  return (user: FileUser, result: LineResult | undefined): readonly string[] => {
    switch (result?.outcome) {
      case 'new':
        return [t('fileNew')];
      case 'exists':
        return [t('fileExists')];
      case 'rejected':
        return rejectionTexts(user, result);
      case 'created': {
        const { invitation } = result;
        if (invitation.delivery === 'mail-server') return [t('fileMailed')];
        if (invitation.delivery === 'copy') return [t('fileLinkMade')];
        return [t('fileNotInvited', { reason: failureText({ kind: 'refused', code: invitation.code }) })];
      }
      default:
        return [];
    }
  };
};

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
