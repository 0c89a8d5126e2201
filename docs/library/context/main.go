// Command context serves the code that a task is about over HTTP, ready for a model:
//
//	curl 'localhost:8080/?task=login+fails+for+new+users'
package main

import (
	"log"
	"net/http"

	"github.com/topo-dev/topo"
)

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		repo, err := topo.Open(r.Context(), ".", topo.Options{}) // cheap: it reads what tells the identity
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		defer repo.Close()
		budget := topo.Budget{MaxTokens: 8000}
		found, _, err := repo.Quick(r.Context(), r.FormValue("task"), topo.QuickOptions{Select: topo.SelectOptions{Budget: budget}})
		if err == nil {
			err = repo.Render(r.Context(), w, found, topo.RenderOptions{Budget: budget})
		}
		if topo.KindOf(err) == topo.Usage {
			http.Error(w, err.Error(), http.StatusBadRequest)
		} else if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	log.Fatal(http.ListenAndServe("localhost:8080", nil))
}
