// Without scripts the texts can be selected by hand, so the buttons appear only where they work.
for (const button of document.querySelectorAll("button[data-copies]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
    button.textContent = button.dataset.done;
    document.getElementById("copied").textContent = button.dataset.done;
    setTimeout(() => {
      button.textContent = label;
      document.getElementById("copied").textContent = "";
    }, 3000);
  });
}
