import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import type { Column } from './columns.ts';
import classes from './record-table.module.css';

interface RecordRowProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  /** Measures the row for virtual scrolling. */
  readonly measure: ((row: HTMLTableRowElement | null) => void) | undefined;
  /** The row in the tab order. */
  readonly isActive: boolean;
  /** The row whose record is shown beside the list. */
  readonly isCurrent: boolean;
  readonly tick: { readonly label: string; readonly on: boolean; readonly onTick: (range: boolean) => void } | null;
  readonly open: { readonly href: string | null; readonly onOpen: () => void } | null;
  readonly onActive: () => void;
  readonly actions: ReactNode;
}

const isOwnBusiness = (target: EventTarget) =>
  target instanceof Element && target.closest('a, button, input, label, [role="menuitem"]') !== null;

/** One record. A click on the row opens it, except on its links and buttons. */
export const RecordRow = <Row,>(props: RecordRowProps<Row>) => {
  const { row, index, columns, measure, isActive, isCurrent, tick, open, onActive, actions } = props;
  const onClick = (event: MouseEvent<HTMLTableRowElement>) => {
    // React events bubble from portals: ignore clicks in a dialog opened by the row.
    if (!(event.target instanceof Node) || !event.currentTarget.contains(event.target)) return;
    onActive();
    if (!isOwnBusiness(event.target)) open?.onOpen();
  };
  return (
    <tr
      ref={measure}
      data-index={index}
      data-current={isCurrent || undefined}
      data-opens={open !== null || undefined}
      aria-rowindex={index + 2}
      aria-selected={tick ? tick.on : undefined}
      aria-current={isCurrent || undefined}
      tabIndex={isActive ? 0 : -1}
      onClick={onClick}
    >
      {tick && (
        <td className={classes.tick}>
          <label className={classes.tickArea}>
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={tick.label}
              checked={tick.on}
              onChange={({ nativeEvent }) => tick.onTick('shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
            />
          </label>
        </td>
      )}
      {columns.map((column, place) => {
        const content = column.render ? column.render(row) : column.text(row);
        return (
          <td key={column.key} data-number={column.isNumber || undefined} title={column.text(row) || undefined}>
            {place === 0 && open?.href ? (
              <Link href={open.href} tabIndex={-1} className={classes.open}>
                {content}
              </Link>
            ) : place === 0 && open ? (
              <button type="button" tabIndex={-1} className={classes.open} onClick={open.onOpen}>
                {content}
              </button>
            ) : (
              content
            )}
          </td>
        );
      })}
      {actions !== undefined && <td className={classes.actions}>{actions}</td>}
    </tr>
  );
};
