// Remarks on pages. Only the seam; nothing is drawn.

export function createRemarks() {
  const toolbar = document.createElement("div");
  return { attach() {}, detach() {}, update() {}, setTool() {}, toolbar };
}
