/** A slot of a template or viewset as stored. */
export interface StoredSlot {
  itemIndex: number;
  order: number;
  xPos: number;
  yPos: number;
  width: number;
  height: number;
  rotation: number;
  horizontalFlip: boolean;
  teeth: number[];
  description: string | null;
}
