import IconLayoutOff from '@tabler/icons-react/dist/esm/icons/IconLayoutOff.mjs';
import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs';
import IconStarFilled from '@tabler/icons-react/dist/esm/icons/IconStarFilled.mjs';
import { type KeyboardEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Template } from '../../../contract/viewsets.ts';
import { TemplateDrawing } from '../ui/template-drawing.tsx';
import classes from './template-grid.module.css';

/** Position of a card in pixels. */
interface Corner {
  readonly top: number;
  readonly left: number;
}

/** Returns the index of the card that a key moves to: the next in reading order, or the nearest in the row above or below. */
export const nextCardIndex = (cards: readonly Corner[], at: number, key: string): number => {
  const here = cards[at];
  if (!here) return 0;
  if (key === 'ArrowRight') return Math.min(cards.length - 1, at + 1);
  if (key === 'ArrowLeft') return Math.max(0, at - 1);
  if (key === 'Home') return 0;
  if (key === 'End') return cards.length - 1;
  const beyond = cards.filter(({ top }) => (key === 'ArrowDown' ? top > here.top : top < here.top));
  const row = key === 'ArrowDown' ? beyond[0] : beyond.at(-1);
  const distance = ({ left }: Corner) => Math.abs(left - here.left);
  const [nearest] = beyond
    .filter(({ top }) => top === row?.top)
    .toSorted((one, other) => distance(one) - distance(other));
  return nearest ? cards.indexOf(nearest) : at;
};

interface TemplateGridProps {
  readonly templates: readonly Template[];
  readonly chosen: string | null;
  /** Texts of a first card for "no template"; no such card when omitted. */
  readonly none?: { readonly name: string; readonly text: string };
  /** A card was selected by click or arrow key; null: no template. */
  readonly onChoose: (template: Template | null) => void;
  /** A card was clicked. */
  readonly onPress?: (template: Template | null) => void;
  /** A card was confirmed by Enter or double click. */
  readonly onTake: (template: Template | null) => void;
  readonly onFavor: (template: Template, isFavorite: boolean) => void;
}

const arrows: readonly string[] = ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown', 'Home', 'End'];

/** Templates as cards with drawings, one of them selected. */
export const TemplateGrid = (props: TemplateGridProps) => {
  const { t } = useTranslation('edit');
  const grid = useRef<HTMLDivElement>(null);
  const { templates, chosen, none, onChoose, onPress, onTake, onFavor } = props;
  const cards = [...(none ? [null] : []), ...templates];
  const isChosen = (card: Template | null) => (card?.uuid ?? null) === chosen;
  const reached = cards.find(isChosen) ?? cards[0];
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      onTake(cards[index] ?? null);
    }
    if (!arrows.includes(event.key)) return;
    event.preventDefault();
    const faces = [...(grid.current?.querySelectorAll<HTMLElement>('[role=radio]') ?? [])];
    const next = nextCardIndex(
      faces.map((face) => face.getBoundingClientRect()),
      index,
      event.key,
    );
    faces[next]?.focus();
    const card = cards[next];
    if (card !== undefined) onChoose(card);
  };
  return (
    <div ref={grid} role="radiogroup" aria-label={t('templates')} className={classes.grid}>
      {cards.map((card, index) => (
        <div key={card?.uuid ?? 'none'} className={classes.cell}>
          {/* biome-ignore lint/a11y/useSemanticElements: a card with a drawing in it is no input */}
          <button
            type="button"
            role="radio"
            aria-checked={isChosen(card)}
            tabIndex={card === reached ? 0 : -1}
            className={classes.card}
            data-none={card === null || undefined}
            onClick={() => {
              onChoose(card);
              onPress?.(card);
            }}
            onDoubleClick={() => onTake(card)}
            onKeyDown={(event) => onKeyDown(event, index)}
          >
            <span className={classes.picture}>
              {card ? (
                <TemplateDrawing width={card.width} height={card.height} slots={card.viewSetItems} />
              ) : (
                <IconLayoutOff />
              )}
            </span>
            <span className={classes.cardName}>{card?.name ?? none?.name}</span>
            <span className={classes.cardSlots}>
              {card ? t('slots', { count: card.viewSetItems.length }) : none?.text}
            </span>
          </button>
          {card && (
            <button
              type="button"
              className={classes.star}
              aria-label={t(card.isFavorite ? 'unfavor' : 'favor', { name: card.name })}
              aria-pressed={card.isFavorite}
              tabIndex={card === reached ? 0 : -1}
              onClick={() => onFavor(card, !card.isFavorite)}
            >
              {card.isFavorite ? <IconStarFilled /> : <IconStar />}
            </button>
          )}
        </div>
      ))}
    </div>
  );
};
